// The page's language: chosen from the browser, switchable at any time. Sentences are functions that
// ask for it when they are called, so whatever shows one changes with it.
import { overwriteGetLocale } from '$generated/texts/runtime.js';
import { preferred, type Language } from './languages';
import { settings } from './settings.svelte';

export { m } from '$generated/texts/messages.js';

const browser = preferred(typeof navigator === 'undefined' ? [] : navigator.languages);

export function language(): Language {
  return settings.language ?? browser;
}

overwriteGetLocale(language);

/** Keeps the document's own language in step; called once by the page. */
export function announceLanguage(): void {
  $effect(() => {
    document.documentElement.lang = language();
  });
}

/** What so many are called: one has a word of its own, and what counts as one differs between languages. */
export function counted(n: number, one: () => string, more: () => string): string {
  return new Intl.PluralRules(language()).select(n) === 'one' ? one() : more();
}

/** "a, b and c" as the language says it. */
export function listed(parts: readonly string[]): string {
  return new Intl.ListFormat(language(), { type: 'conjunction' }).format(parts);
}
