/** The models in a link. Only models with an address are in it. */
export interface ModelsLink {
	/** Addresses of prediction files, separated by `|`. */
	readonly predictions?: string | undefined;
	/** Names of these models, separated by `|`, if they are not the files' names. */
	readonly modelNames?: string | undefined;
	/** Numbers of the hidden models: 1 is the first in `predictions`. */
	readonly hiddenModels?: readonly number[] | undefined;
	/** Numbers of the compared models A and B; default the first two. */
	readonly comparedModels?: readonly [a: number, b: number] | undefined;
	/** Whether each visible model has a picture of its own. */
	readonly splitPictures?: boolean | undefined;
}
