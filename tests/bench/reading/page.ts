// What the page of the bench runs; bundled, with the other readers in it.
import type { CoreModule } from "../../../web/src/core.js";
import type * as Bevscope from "../../../web/src/index.js";
import { ChunkBench } from "./chunks.js";
import { HttpBench } from "./over-http.js";

/** The package as it is published, loaded from where it is served. */
interface Package {
	readonly instantiate: (module: WebAssembly.Module) => Promise<CoreModule>;
	readonly lib: typeof Bevscope;
}

async function read(key: string): Promise<Uint8Array | undefined> {
	const response = await fetch(`/town/${key}`);
	return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
}

/** Both benches of this page. */
export async function create({ instantiate, lib }: Package) {
	const compiled = WebAssembly.compileStreaming(fetch("/dist/wasm/bev_core.wasm"));
	const core = await instantiate(await compiled);
	return {
		chunks: await ChunkBench.create(core, read),
		http: new HttpBench(lib, `${location.origin}/town`, `${location.origin}/plain`),
	};
}
