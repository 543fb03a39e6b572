// What charts share.

/** The scores at which a chart has a line: none, half and all. Where all is one point, half of it is rounded to one. */
export const gridLines = (most: number): number[] => [...new Set([0, Math.round(most / 2), most])];
