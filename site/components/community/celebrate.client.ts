/** The celebration of a channel that this visit opened (§2, decision C1): a banner for 5 s, confetti after 100 ms. */
const bannerTime = 5000;
const confettiAfter = 100;
const pieces = 60;

/** Initial consonants: of Hangul by its code, of Latin letters by their sound (look §6.1). */
const consonants = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ';
const latin = 'ㅇㅂㅊㄷㅇㅍㄱㅎㅇㅈㅋㄹㅁㄴㅇㅍㅋㄹㅅㅌㅇㅂㅇㅋㅇㅈ';

function signOf(name: string): string[] {
  const signs = [...name.toUpperCase()].flatMap((letter) => {
    const code = letter.charCodeAt(0);
    if (code >= 0xac00 && code <= 0xd7a3) return consonants[Math.floor((code - 0xac00) / 588)] ?? [];
    return code >= 65 && code <= 90 ? (latin[code - 65] ?? []) : [];
  });
  return [...new Set(signs)].slice(0, 3);
}

/** Five steps of the star's colour, as its scope has them. */
function coloursOf(scope: Element): string[] {
  const style = getComputedStyle(scope);
  return ['--deep-l', '--text-l', '--fill-l', '--mark-d', '--soft-line-l'].map((role) =>
    style.getPropertyValue(role).trim(),
  );
}

export function celebrate(): void {
  const channel = document.querySelector<HTMLElement>('[data-channel]');
  const template = document.querySelector<HTMLTemplateElement>('template[data-celebration]');
  const status = document.querySelector('[data-channel-status]');
  const scope = document.querySelector('main');
  if (!channel || !template || !status || !scope) return;
  status.replaceChildren(template.content.cloneNode(true));
  setTimeout(() => status.replaceChildren(), bannerTime);
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  setTimeout(() => void throwConfetti(channel.dataset.starName ?? '', coloursOf(scope)), confettiAfter);
}

async function throwConfetti(name: string, colors: string[]): Promise<void> {
  const { default: confetti } = await import('canvas-confetti');
  const canvas = document.createElement('canvas');
  canvas.className = 'confetti';
  canvas.ariaHidden = 'true';
  document.body.append(canvas);
  // No worker: it would come from a blob, which our content security policy refuses.
  const fire = confetti.create(canvas, { resize: true, useWorker: false, disableForReducedMotion: true });
  const signs = signOf(name).flatMap((text) =>
    colors.slice(1, 4).map((color) => confetti.shapeFromText({ text, color, scalar: 2 })),
  );
  await fire({
    particleCount: pieces,
    colors,
    shapes: ['circle', 'circle', ...signs],
    scalar: 1.6,
    spread: 110,
    startVelocity: 42,
    ticks: 84,
    origin: { y: 0.35 },
  });
  canvas.remove();
}
