export function squares(text: string): { size: number; on: [number, number][] };
