// The entry point. Each part is mounted in its own task, so that none blocks the browser for long.
import { mount } from 'svelte';
import Symbols from '$art/Symbols.svelte';
import { reloadOnNewVersion } from '$device/new-version';
import App from './App.svelte';
import './styles/app.css';

reloadOnNewVersion();
const target = document.getElementById('app');
if (target) setTimeout(() => mount(App, { target }));
setTimeout(() => mount(Symbols, { target: document.body }));
// Later: the first picture and the first cards need the line more.
setTimeout(() => void import('$device/service-worker').then(({ registration }) => registration(), () => undefined), 15_000);
