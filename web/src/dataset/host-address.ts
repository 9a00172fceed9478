import { checkOptions } from "../base/arguments.js";
import { Core } from "../core/core.js";
import { configured } from "../loading/files.js";
import { absolute } from "../source/url.js";
import { compileTools } from "../tools.js";
import { instantiate } from "../worker/core-module.js";

/** Returns a server's URL without a slash at its end. */
function endpoint(url: string | URL | undefined): string | undefined {
	return url === undefined ? undefined : absolute(url).href.replace(/\/+$/, "");
}

/** Returns the URL of an address `hf://`, `s3://` or `gs://`. */
export async function urlOfAddress(address: string): Promise<string> {
	const hosts = configured.hosts ?? {};
	checkOptions("configure: hosts", hosts, { hf: "any", s3: "any", s3Region: "any" });
	const { hf, s3, s3Region } = hosts;
	const core = new Core(await instantiate(await compileTools()));
	return core.run("address_url", {
		address,
		hf_endpoint: endpoint(hf),
		s3_endpoint: endpoint(s3),
		s3_region: s3Region,
	});
}
