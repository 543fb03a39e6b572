// Where the client begins. Each part is a task of its own, so that none holds the browser up for long.
import { mount } from 'svelte';
import Symbols from '$art/Symbols.svelte';
import { reloadOnNewVersion } from '$device/new-version';
import App from './App.svelte';
import './styles/app.css';

reloadOnNewVersion();
const target = document.getElementById('app');
if (target) setTimeout(() => mount(App, { target }));
setTimeout(() => mount(Symbols, { target: document.body }));
