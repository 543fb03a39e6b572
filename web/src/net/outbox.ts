// Actions that were sent and not yet acknowledged. After a reconnect they are sent again under the same id, and the
// server carries out none of them twice.
export interface PendingAction {
  id: number;
  action: string;
  /** The journal entry up to which the player had been shown the game. */
  seen: number;
}

export class Outbox {
  private next = 1;
  private waiting: PendingAction[] = [];

  /** A new action, with an id higher than all before. */
  add(action: string, seen: number): PendingAction {
    const made = { id: this.next++, action, seen };
    this.waiting.push(made);
    return made;
  }

  /** The action was carried out or refused. */
  acknowledge(id: number): PendingAction | null {
    const found = this.waiting.find((each) => each.id === id) ?? null;
    if (found) this.waiting = this.waiting.filter((each) => each.id !== id);
    return found;
  }

  /** On a new connection, with the last id that the server has carried out: what is to be sent again. */
  resume(acted: number): readonly PendingAction[] {
    this.next = Math.max(this.next, acted + 1);
    this.waiting = this.waiting.filter((each) => each.id > acted);
    return this.waiting;
  }

  get pending(): readonly PendingAction[] {
    return this.waiting;
  }
}
