// The page's language, from the settings or the browser, and formatting in it. Messages are functions that ask for
// the language when they are called, so components that show one update when it changes.
import { overwriteGetLocale } from '$generated/texts/runtime.js';
import { preferred, type Language } from './languages';
import { settings } from './settings.svelte';

export { m } from '$generated/texts/messages.js';

const browser = preferred(typeof navigator === 'undefined' ? [] : navigator.languages);

export function language(): Language {
  return settings.language ?? browser;
}

overwriteGetLocale(language);

/** Keeps the document's `lang` in step; called once by the page. */
export function syncDocumentLanguage(): void {
  $effect(() => {
    document.documentElement.lang = language();
  });
}

/** The singular or plural form for n: which numbers count as one differs between languages. */
export function plural(n: number, one: () => string, more: () => string): string {
  return new Intl.PluralRules(language()).select(n) === 'one' ? one() : more();
}

/** "a, b and c", in the page's language or another. */
export function formatList(parts: readonly string[], locale: Language = language()): string {
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(parts);
}

/** A probability between 0 and 1 in whole percent. */
export const percent = (chance: number): number => Math.round(chance * 100);
