import type { Core, Handle } from "../core/core.js";

/** An object in the core; `delete()` frees it. */
export interface Owned<Name extends string> {
	readonly handle: Handle<Name>;
	delete(): void;
}

export function owned<Name extends string>(
	core: Pick<Core, "release">,
	handle: Handle<Name>,
): Owned<Name> {
	return { handle, delete: () => core.release(handle) };
}
