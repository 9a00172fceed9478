export const EXAMPLES: { readonly argoverse2: string; readonly waymo: string };
export function writeExamples(folder: string): void;
