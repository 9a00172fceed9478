import { vi } from "vitest";

/**
 * Watches the memories of modules that are instantiated from now on. Returns the function
 * that sums their bytes, which is deterministic: memories only grow.
 */
export function watchWasmMemory(): () => number {
	const memories: WebAssembly.Memory[] = [];
	const original = WebAssembly.instantiate as (
		module: WebAssembly.Module,
		imports?: WebAssembly.Imports,
	) => Promise<WebAssembly.Instance>;
	vi.spyOn(WebAssembly, "instantiate").mockImplementation((async (
		module: WebAssembly.Module,
		imports?: WebAssembly.Imports,
	) => {
		const instance = await original(module, imports);
		const exported: readonly unknown[] = Object.values(instance.exports);
		for (const one of exported)
			if (one instanceof WebAssembly.Memory) memories.push(one);
		return instance;
	}) as typeof WebAssembly.instantiate);
	return () => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
}
