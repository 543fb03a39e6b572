// Every action by keyboard: components register their keys while they are there, and `?` lists them.
import { untrack } from 'svelte';

export interface Key {
  /** As `KeyboardEvent.key` says it. */
  keys: readonly string[];
  /** As the help shows it. */
  shown: string;
  label: () => string;
  run: (key: string) => void;
  when?: () => boolean;
}

let registered = $state.raw<readonly Key[]>([]);

export function known(): readonly Key[] {
  return registered;
}

/** For the life of a component; to be called in its set-up. */
export function useKeys(...keys: Key[]): void {
  $effect(() => {
    registered = [...untrack(known), ...keys];
    return () => {
      registered = registered.filter((each) => !keys.includes(each));
    };
  });
}

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, select, textarea, [role=slider]') !== null;

/** Whether something lies over the table that has the keys for itself. */
const covered = () => document.querySelector('dialog[open]') !== null;

export function pressed(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (typing(event.target) || covered()) return;
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const found = registered.findLast((each) => each.keys.includes(name) && (each.when?.() ?? true));
  if (!found) return;
  // A focused button keeps its own Enter and Space.
  const onButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement;
  if (onButton && (name === 'Enter' || name === ' ')) return;
  event.preventDefault();
  found.run(name);
}
