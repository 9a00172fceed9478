const registries = new Set<CustomElementRegistry>();

/** Registers elements in `registry`, too, that are loaded from now on. */
export function useRegistry(registry: CustomElementRegistry): void {
	registries.add(registry);
}

/** Returns the registries that lack `tag`. */
function without(tag: string): CustomElementRegistry[] {
	const all = registries.size > 0 ? [...registries] : [customElements];
	return all.filter((registry) => !registry.get(tag));
}

/** Registers an element; a tag that is already registered is skipped. */
export function register(tag: string, element: CustomElementConstructor): void {
	for (const registry of without(tag)) registry.define(tag, element);
}

/**
 * Loads and registers an element on first use; a registered one is skipped. Rejects if
 * loading fails; a later call tries again.
 */
export async function defineLazy(
	tag: string,
	load: () => Promise<CustomElementConstructor>,
): Promise<void> {
	if (without(tag).length > 0) register(tag, await load());
}
