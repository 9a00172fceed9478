/** Returns a generator of numbers from 0 to 1, determined by the seed. */
export function random(seed: number): () => number;
