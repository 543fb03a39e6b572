// Actions that were sent and not yet answered. After a lost line they are sent again under the same
// number, and the server carries none out twice.
export interface Action {
  id: number;
  action: string;
  /** The entry up to which the player had been shown the game. */
  seen: number;
}

export class Outbox {
  private next = 1;
  private waiting: Action[] = [];

  /** A new action under a number higher than all before. */
  add(action: string, seen: number): Action {
    const made = { id: this.next++, action, seen };
    this.waiting.push(made);
    return made;
  }

  /** The action was carried out, or refused: either way it is settled. */
  settle(id: number): Action | null {
    const found = this.waiting.find((each) => each.id === id) ?? null;
    if (found) this.waiting = this.waiting.filter((each) => each.id !== id);
    return found;
  }

  /** A connection is there, and the server knows our actions up to a number: what is to be sent. */
  reconnected(acted: number): readonly Action[] {
    this.next = Math.max(this.next, acted + 1);
    this.waiting = this.waiting.filter((each) => each.id > acted);
    return this.waiting;
  }

  get pending(): readonly Action[] {
    return this.waiting;
  }
}
