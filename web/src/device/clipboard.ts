// Handing a link on: by the device's own sheet, or to the clipboard. Pages from an address that is not
// safe (a friend's machine in the same house) have neither of the modern ways, but the old one works.
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // not allowed: perhaps the old way is
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'hidden';
  // inside an open dialog nothing outside can be selected
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  return done;
}

export const canShare = (): boolean => typeof navigator.share === 'function';

/** Whether the link was copied; false: it was shared, or nothing could be done. */
export async function handOn(url: string): Promise<boolean> {
  if (!canShare()) return copyText(url);
  await navigator.share({ url }).catch(() => undefined); // changed their mind
  return false;
}
