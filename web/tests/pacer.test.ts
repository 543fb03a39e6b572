import { expect, test } from 'vitest';
import { Pacer, type Clock } from '$session/pacer';

/** Clock that goes on only when a test says so. */
class TestClock implements Clock {
  at = 0;
  private waiting: { due: number; run: () => void }[] = [];
  now = () => this.at;
  after = (ms: number, run: () => void) => {
    const entry = { due: this.at + ms, run };
    this.waiting.push(entry);
    return () => {
      this.waiting = this.waiting.filter((each) => each !== entry);
    };
  };
  go(ms: number): void {
    const end = this.at + ms;
    for (;;) {
      const next = this.waiting.filter((each) => each.due <= end).sort((a, b) => a.due - b.due)[0];
      if (!next) break;
      this.at = next.due;
      this.waiting = this.waiting.filter((each) => each !== next);
      next.run();
    }
    this.at = end;
  }
}

function setUp(speed = 1) {
  const clock = new TestClock();
  const shown: { name: string; at: number; last: boolean }[] = [];
  const pacer = new Pacer<{ name: string; hold: number }>(
    ({ name }, last) => shown.push({ name, at: clock.at, last }),
    () => speed,
    clock,
  );
  return { clock, shown, pacer };
}

test('the first picture is shown at once and the next when it was seen long enough', () => {
  const { clock, shown, pacer } = setUp();
  pacer.push([{ name: 'trick', hold: 1000 }, { name: 'gathered', hold: 300 }]);
  expect(shown.map((each) => each.name)).toEqual(['trick']);
  clock.go(999);
  expect(shown).toHaveLength(1);
  clock.go(1);
  expect(shown.at(-1)).toEqual({ name: 'gathered', at: 1000, last: true });
});

test('a bot that is faster than its trick waits for it', () => {
  const { clock, shown, pacer } = setUp();
  pacer.push([{ name: 'trick', hold: 1000 }]);
  clock.go(100);
  pacer.push([{ name: 'next card', hold: 0 }]);
  expect(shown).toHaveLength(1);
  clock.go(900);
  expect(shown.at(-1)?.at).toBe(1000);
});

test('nothing waits once the last picture was seen', () => {
  const { clock, shown, pacer } = setUp();
  pacer.push([{ name: 'trick', hold: 1000 }]);
  clock.go(5000);
  pacer.push([{ name: 'card', hold: 100 }]);
  expect(shown.at(-1)?.at).toBe(5000);
});

test('skipping shows the next picture now', () => {
  const { shown, pacer } = setUp();
  pacer.push([{ name: 'a', hold: 1000 }, { name: 'b', hold: 1000 }, { name: 'c', hold: 0 }]);
  pacer.skip();
  expect(shown.map((each) => each.name)).toEqual(['a', 'b']);
});

test('clearing forgets what waits', () => {
  const { clock, shown, pacer } = setUp();
  pacer.push([{ name: 'old', hold: 1000 }, { name: 'older', hold: 0 }]);
  pacer.clear();
  clock.go(5000);
  expect(shown.map((each) => each.name)).toEqual(['old']);
  expect(pacer.busy).toBe(false);
});

test('pictures are shown sooner at a brisker pace', () => {
  const { clock, shown, pacer } = setUp(0.5);
  pacer.push([{ name: 'a', hold: 1000 }, { name: 'b', hold: 0 }]);
  clock.go(500);
  expect(shown.at(-1)).toMatchObject({ name: 'b', at: 500 });
});

test('who is far behind catches up faster', () => {
  const { clock, shown, pacer } = setUp();
  for (let i = 0; i < 40; i++) pacer.push([{ name: String(i), hold: 1000 }]);
  clock.go(20_000);
  expect(shown.length).toBe(40);
});

test('one update with many pictures is shown at its own pace', () => {
  const { clock, shown, pacer } = setUp();
  pacer.push(Array.from({ length: 40 }, (_, i) => ({ name: String(i), hold: 1000 })));
  clock.go(20_000);
  expect(shown.length).toBe(21);
});

test('what is urgent waits no longer than a moment behind a long frame', () => {
  const { clock, shown, pacer } = setUp();
  pacer.push([{ name: 'round end', hold: 6000 }, { name: 'deal', hold: 0 }]);
  clock.go(1000);
  pacer.push([{ name: 'later deal', hold: 0 }]);
  clock.go(1000);
  expect(shown.map(({ name }) => name)).toEqual(['round end']);
  pacer.push([{ name: 'card', hold: 0 }], true);
  clock.go(1000);
  expect(shown.map(({ name }) => name)).toEqual(['round end', 'deal', 'later deal', 'card']);
  expect(shown.at(-1)?.at).toBeLessThanOrEqual(3000);
});
