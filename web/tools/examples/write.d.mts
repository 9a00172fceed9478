export const EXAMPLES: {
	readonly argoverse2: string;
	readonly commonroad: string;
	readonly interaction: string;
	readonly nuplan: string;
	readonly nuscenes: string;
	readonly scenarionet: string;
	readonly waymo: string;
};
export function writeExamples(folder: string): void;
