// Sound effects, synthesised by Web Audio: paper, wood, a soft bell. Off by default.
import { settings } from './settings.svelte';

export type Sound = 'card' | 'deal' | 'gather' | 'pay' | 'turn' | 'win' | 'wrong' | 'tick';

let context: AudioContext | null = null;

function audio(): AudioContext {
  context ??= new AudioContext();
  void context.resume();
  return context;
}

/** Band-pass filtered noise with a falling envelope: paper on cloth. */
function paper(at: number, length: number, pitch: number, volume: number): void {
  const c = audio();
  const buffer = c.createBuffer(1, Math.ceil(c.sampleRate * length), c.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) {
    samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 2;
  }
  const source = new AudioBufferSourceNode(c, { buffer });
  const filter = new BiquadFilterNode(c, { type: 'bandpass', frequency: pitch, Q: 0.8 });
  const gain = new GainNode(c, { gain: volume });
  source.connect(filter).connect(gain).connect(c.destination);
  source.start(c.currentTime + at);
}

/** A sine tone with an overtone and an exponential decay: a struck bar. */
function bar(at: number, pitch: number, length: number, volume: number): void {
  const c = audio();
  const start = c.currentTime + at;
  const tone = new OscillatorNode(c, { type: 'sine', frequency: pitch });
  const over = new OscillatorNode(c, { type: 'sine', frequency: pitch * 3.9 });
  const gain = new GainNode(c, { gain: 0 });
  const bright = new GainNode(c, { gain: 0.18 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(volume, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  tone.connect(gain);
  over.connect(bright).connect(gain);
  gain.connect(c.destination);
  for (const each of [tone, over]) {
    each.start(start);
    each.stop(start + length);
  }
}

const sounds: Record<Sound, () => void> = {
  card: () => paper(0, 0.09, 2400, 0.35),
  deal: () => [0, 0.07, 0.14, 0.21].forEach((at) => paper(at, 0.06, 3000, 0.22)),
  gather: () => paper(0, 0.22, 1400, 0.25),
  pay: () => bar(0, 523, 0.22, 0.12),
  tick: () => bar(0, 392, 0.18, 0.12),
  turn: () => bar(0, 659, 0.5, 0.08),
  win: () => [523, 659, 784].forEach((pitch, i) => bar(i * 0.13, pitch, 0.7, 0.12)),
  wrong: () => bar(0, 165, 0.25, 0.14),
};

export function playSound(sound: Sound): void {
  if (!settings.sound || typeof AudioContext === 'undefined') return;
  sounds[sound]();
}
