// Sharing a link: by the Web Share API, or by copying it. In an insecure context (a friend's machine in the same
// network) browsers offer neither API, but `execCommand` still copies.
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // not allowed: execCommand may be
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

/** Whether the link was copied; false: it was shared, or could not be copied. */
export async function shareLink(url: string): Promise<boolean> {
  if (!canShare()) return copyText(url);
  await navigator.share({ url }).catch(() => undefined); // cancelled
  return false;
}

const COPIED_SHOWN = 2000; // milliseconds

/** A link to share, for a button that says for a moment that it was copied. */
export class SharedLink {
  copied = $state(false);

  constructor(private readonly url: () => string) {}

  async share(): Promise<void> {
    this.copied = await shareLink(this.url());
    setTimeout(() => (this.copied = false), COPIED_SHOWN);
  }
}
