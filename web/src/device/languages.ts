// The languages that Pli speaks, and which of them a browser asks for.
export const languages = ['en', 'fr', 'es'] as const;
export type Language = (typeof languages)[number];

/** Each in its own words. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  fr: 'Français',
  es: 'Español',
};

export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = languages.find((each) => tag.toLowerCase().split('-')[0] === each);
    if (found) return found;
  }
  return 'en';
}
