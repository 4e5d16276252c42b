export const ICONS: Record<string, string>;
