// A chance between 0 and 1 as people say it.
export const percent = (chance: number): number => Math.round(chance * 100);
