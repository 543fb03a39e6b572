// Keyboard shortcuts: components register theirs while they are mounted, and the help (`?`) lists them all.
import { untrack } from 'svelte';

export interface Key {
  /** Values of `KeyboardEvent.key`. */
  keys: readonly string[];
  /** As the help shows it. */
  shown: string;
  label: () => string;
  run: (key: string) => void;
  /** Whether it does something at this moment. */
  when?: () => boolean;
  /** It goes before those that are registered later, while it does something. */
  first?: true;
  /** Whether there is such a thing at this table at all: otherwise the help does not list it. */
  exists?: () => boolean;
}

let registered = $state.raw<readonly Key[]>([]);

/** The shortcuts that there are here, for the help. */
export function existingKeys(): readonly Key[] {
  return registered.filter((each) => each.exists?.() ?? true);
}

function registeredKeys(): readonly Key[] {
  return registered;
}

/** Registers shortcuts for the lifetime of a component; to be called in its set-up. */
export function useKeys(...keys: Key[]): void {
  $effect(() => {
    registered = [...untrack(registeredKeys), ...keys];
    return () => {
      registered = registered.filter((each) => !keys.includes(each));
    };
  });
}

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, select, textarea, [role=slider]') !== null;

/** An open dialog takes all keys. */
const dialogOpen = () => document.querySelector('dialog[open]') !== null;

export function handleKeydown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (typing(event.target) || dialogOpen()) return;
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const able = registered.filter((each) => each.keys.includes(name) && (each.exists?.() ?? true) && (each.when?.() ?? true));
  const found = able.find(({ first }) => first) ?? able.at(-1);
  if (!found) return;
  // A focused button keeps its own Enter and Space.
  const onButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement;
  if (onButton && (name === 'Enter' || name === ' ')) return;
  event.preventDefault();
  found.run(name);
}
