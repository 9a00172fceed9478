import type { Door, Handle } from "../core/door.js";

/** An object in the core; `delete()` frees it. */
export interface Held<Name extends string> {
	readonly handle: Handle<Name>;
	delete(): void;
}

export function held<Name extends string>(
	door: Pick<Door, "release">,
	handle: Handle<Name>,
): Held<Name> {
	return { handle, delete: () => door.release(handle) };
}
