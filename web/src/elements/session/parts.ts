/** A part of a frame or scene that can be read without the others. */
export type Part = "agents" | "lights";

/** What could be read of a frame or scene, and the parts that could not. */
export interface Readable<T> {
	readonly made: T;
	readonly unread: readonly Part[];
}
