// What a lesson can light, by name, and where it is on the page. A game adds its own (`lights`).
const everywhere: Readonly<Record<string, string>> = {
  hand: '[data-light="hand"]:has([data-card])',
  'card *': '.cards [data-card="*"]',
  trick: '.trick li > *',
  'seat *': '[data-light="seat *"]',
  own: '[data-light="own"]',
  strip: '[data-light="strip"] > *',
  trump: '[data-light="strip"] .trump',
  choice: '.slip',
  'choice *': '.slip [data-action="*"]',
  controls: '.controls',
};

/** The selector of a name; null: there is no such name. */
export function selectorOf(name: string, own: Readonly<Record<string, string>> = {}): string | null {
  const all = { ...everywhere, ...own };
  if (all[name] !== undefined) return all[name];
  const [first = '', ...rest] = name.split(' ');
  return all[`${first} *`]?.replaceAll('*', rest.join(' ')) ?? null;
}

export interface Light {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where the things of some names are drawn now. */
export function litPlaces(names: readonly string[], own?: Readonly<Record<string, string>>): Light[] {
  return names.flatMap((name) => {
    const boxes = litElements(name, own).map((each) => each.getBoundingClientRect()).filter(({ width, height }) => width > 0 && height > 0);
    if (boxes.length === 0) return [];
    const x = Math.min(...boxes.map(({ left }) => left));
    const y = Math.min(...boxes.map(({ top }) => top));
    return [{ x, y, width: Math.max(...boxes.map(({ right }) => right)) - x, height: Math.max(...boxes.map(({ bottom }) => bottom)) - y }];
  });
}

export function litElements(name: string, own?: Readonly<Record<string, string>>): HTMLElement[] {
  const selector = selectorOf(name, own);
  return selector === null ? [] : [...document.querySelectorAll<HTMLElement>(selector)];
}
