import type { Core, Handle } from "../core/core.js";

/** An object in the core; `delete()` frees it. */
export interface Held<Name extends string> {
	readonly handle: Handle<Name>;
	delete(): void;
}

export function held<Name extends string>(
	core: Pick<Core, "release">,
	handle: Handle<Name>,
): Held<Name> {
	return { handle, delete: () => core.release(handle) };
}
