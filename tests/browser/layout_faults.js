// The faults in the layout of a table, as texts; its argument is the height that a finger needs.
finger => {
  const wrong = [];
  const { scrollWidth, scrollHeight } = document.scrollingElement;
  if (scrollWidth > innerWidth) wrong.push(`scrolls sideways: ${scrollWidth}`);
  if (scrollHeight > innerHeight) wrong.push(`scrolls: ${scrollHeight}`);
  const inside = (box) => box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1;
  const name = (e) => `${e.className} ${e.ariaLabel ?? e.textContent.trim().slice(0, 30)}`;
  const shown = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const controls = [...document.querySelectorAll('main button, main a, main select, main input')].filter(shown);
  for (const each of controls) {
    const box = each.getBoundingClientRect();
    if (!inside(box)) wrong.push(`outside: ${name(each)} ${JSON.stringify(box)}`);
    if (!each.closest('.hand') && (box.height < finger || box.width < finger - 2)) wrong.push(`small: ${name(each)} ${box.width} x ${box.height}`);
    // Something of it can be touched, a finger wide.
    let open = 0;
    for (let x = box.left + 1; x < box.right; x += 2)
      for (const part of [0.2, 0.5, 0.8]) {
        if (each.contains(document.elementFromPoint(x, box.top + box.height * part))) { open += 2; break; }
      }
    if (open < 28) wrong.push(`covered: ${name(each)}, ${open} of ${box.width}`);
  }
  // Text that does not fit is cut off with dots in names alone.
  for (const each of document.querySelectorAll('.seat, .own, header > *, .plate, .slip')) {
    const box = each.getBoundingClientRect();
    if (shown(each) && box.width > 0 && !inside(box)) wrong.push(`outside: ${name(each)}`);
  }
  for (const each of [...document.querySelectorAll('.seat')].filter(shown)) {
    const box = each.getBoundingClientRect();
    const there = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    if (!each.contains(there)) wrong.push(`covered: ${name(each)} by ${there && name(there)}`);
  }
  const seats = [...document.querySelectorAll('.seat'), ...document.querySelectorAll('.tools')].filter(shown);
  const cards = [...document.querySelectorAll('.trick li')];
  const boxes = [...seats, ...document.querySelectorAll('section.own'), ...cards].map((e) => [e, e.getBoundingClientRect()]);
  for (const [a, one] of boxes) for (const [b, two] of boxes) {
    const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
    const high = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
    // The cards of a trick lie over each other, and a little askew: the corners of their boxes are empty.
    const [both, room] = [cards.includes(a) && cards.includes(b), cards.includes(a) || cards.includes(b) ? 8 : 2];
    if (a !== b && !both && a.compareDocumentPosition(b) & 4 && wide > room && high > room) wrong.push(`overlap: ${name(a)} / ${name(b)}: ${wide} x ${high}`);
  }
  return wrong;
}
