// The languages of the client, and the one that a browser asks for.
export const languages = ['en', 'fr', 'es'] as const;
export type Language = (typeof languages)[number];

/** Each name in its own language. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  fr: 'Français',
  es: 'Español',
};

/** The first of a browser's languages that there is; English otherwise. */
export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = languages.find((each) => tag.toLowerCase().split('-')[0] === each);
    if (found) return found;
  }
  return 'en';
}
