import {
	type BevError,
	messageOf,
	toBevError,
	withoutSecrets,
} from "../../base/errors.js";
import { withoutHost } from "../../dataset/resolve.js";
import type { Place } from "../session/dataset.js";
import {
	type Alternative,
	type Explanation,
	explained,
	isExplained,
} from "../session/explanation.js";
import { DISK_ADVICE, isDiskPath } from "./address.js";
import { nameOf } from "./places.js";
import { shownAddress } from "./secrets.js";

/** Common names of L5Kit data sets in a folder. */
const USUAL = ["sample.zarr", "train.zarr", "validate.zarr"];

/** The response of an address to a page's request. */
export type Reach =
	| { readonly kind: "ok"; readonly html: boolean }
	| { readonly kind: "status"; readonly status: number }
	/** The server responds, but CORS forbids reading. */
	| { readonly kind: "not allowed" }
	| { readonly kind: "forbidden by policy" }
	| { readonly kind: "silent" };

/** Requests `url`; if that fails, tests whether the server responds at all. */
export async function reach(url: URL, signal?: AbortSignal): Promise<Reach> {
	let blocked = false;
	const onViolation = ({ blockedURI }: SecurityPolicyViolationEvent): void => {
		blocked ||= blockedURI.startsWith(url.origin);
	};
	document.addEventListener("securitypolicyviolation", onViolation);
	try {
		const answer = await fetch(url, { signal: signal ?? null });
		const text = answer.ok ? (await answer.text()).slice(0, 256) : "";
		if (!answer.ok) return { kind: "status", status: answer.status };
		return { kind: "ok", html: /^\s*<(!doctype|html|head|body)/i.test(text) };
	} catch {
		signal?.throwIfAborted();
		const up = await fetch(url, { mode: "no-cors", signal: signal ?? null }).then(
			() => true,
			() => false,
		);
		signal?.throwIfAborted();
		// The event is dispatched in a separate task after the rejection.
		await new Promise((resolve) => setTimeout(resolve));
		if (blocked) return { kind: "forbidden by policy" };
		return { kind: up ? "not allowed" : "silent" };
	} finally {
		document.removeEventListener("securitypolicyviolation", onViolation);
	}
}

function below(root: URL, key: string): URL {
	const url = new URL(root);
	url.pathname = `${root.pathname.replace(/\/+$/, "")}/${key}`;
	url.hash = "";
	return url;
}

/** Returns whether an object exists under `key`; HTML pages do not count. */
async function has(root: URL, key: string, signal?: AbortSignal): Promise<boolean> {
	const found = await reach(below(root, key), signal);
	return found.kind === "ok" && !found.html;
}

function parentOf(root: URL): URL {
	const url = new URL(root);
	url.pathname = root.pathname.replace(/\/[^/]+\/*$/, "/");
	return url;
}

function alternative(url: URL): Alternative {
	const address = url.href.replace(/\/$/, "");
	return {
		label: shownAddress(address),
		place: { kind: "address", address },
	};
}

/** Returns the folders named *.zarr in the server's listing of `folder`. */
async function listed(folder: URL, signal?: AbortSignal): Promise<string[]> {
	try {
		const answer = await fetch(below(folder, ""), { signal: signal ?? null });
		if (!answer.ok || !/html/i.test(answer.headers.get("Content-Type") ?? ""))
			return [];
		const page = new DOMParser().parseFromString(await answer.text(), "text/html");
		const links = [...page.querySelectorAll("a[href]")];
		return links
			.map((link) => link.getAttribute("href") ?? "")
			.filter((href) => /^[^/?#:]+\.zarr\/?$/.test(href))
			.map((href) => href.replace(/\/$/, ""));
	} catch {
		signal?.throwIfAborted();
		return [];
	}
}

/**
 * Searches for data sets below an address that is not one; also returns the names
 * tried.
 */
async function dataBelow(root: URL, signal?: AbortSignal) {
	const name = nameOf(root.href).replace(/\.zarr$/, "");
	const own = name === "" || name === "scenes" ? [] : [`${name}.zarr`];
	const folders = name === "scenes" ? [""] : ["scenes/", ""];
	const tried: string[] = [];
	for (const folder of folders) {
		const usual = [...USUAL, ...own];
		const linked = await listed(below(root, folder), signal);
		const keys = [...new Set([...linked, ...usual])].map((key) => folder + key);
		for (const key of keys) tried.push(key);
		const found = await Promise.all(
			keys.map(async (key) => (await has(below(root, key), ".zgroup", signal)) && key),
		);
		const there = found.filter((key) => key !== false);
		if (there.length > 0) return { tried, found: there };
	}
	return { tried, found: [] };
}

/** Hosts of buckets, which have CORS rules instead of headers. */
const BUCKETS = /(^|\.)s3[.-]([\w-]+\.)*amazonaws\.com$/;

/** Says which headers another origin must send. */
export function corsHelp(url: URL): Explanation {
	const title = "The server blocks cross-origin reads";
	if (BUCKETS.test(url.host)) {
		const rule = {
			AllowedOrigins: [location.origin],
			AllowedMethods: ["GET", "HEAD"],
			AllowedHeaders: ["Range"],
			ExposeHeaders: ["Content-Range", "ETag"],
		};
		const advice = [
			"CORS: the bucket must allow GET from this page, and expose Content-Range and ETag. Give it this rule:",
		];
		return { title, advice, copy: JSON.stringify([rule]) };
	}
	return {
		title,
		advice: [
			`${url.host} responds without a CORS header. Add this header to every response, including 404:`,
		],
		copy: `Access-Control-Allow-Origin: ${location.origin}`,
	};
}

function silentHelp(url: URL): Explanation {
	const advice = navigator.onLine
		? [`Check the host name ${url.host}, and that the server is running.`]
		: ["This device is offline. Connect it, then try again."];
	if (location.protocol === "https:" && url.protocol === "http:") {
		advice.push("A page served over https cannot read data over http.");
	}
	return { title: "No response from the server", advice };
}

const POLICY_HELP: Explanation = {
	title: "This page's policy blocks the request",
	advice: [
		"Add the data's server to connect-src in the page's Content-Security-Policy.",
	],
};

const PAGE_HELP: Explanation = {
	title: "The URL leads to a web page, not to data",
	advice: [
		"Sign in on that site if required, or use the data's own URL.",
		"The URL must end with the folder that contains .zgroup, usually *.zarr.",
	],
};

/** Explains absent metadata. */
async function absentHelp(
	root: URL,
	error: BevError,
	{ isTyped, signal }: { isTyped: boolean; signal: AbortSignal | undefined },
): Promise<BevError> {
	const parent = parentOf(root);
	if (await has(root, ".zarray", signal)) {
		const group = await has(parent, ".zgroup", signal);
		return explained(error, {
			title: "This is a single array",
			advice: group ? ["Open its data set:"] : [],
			alternatives: group ? [alternative(parent)] : [],
		});
	}
	if (await has(root, ".zgroup", signal)) {
		const advice = ["A driving data set has the arrays scenes, frames and agents."];
		return explained(error, { title: "An array is missing", advice });
	}
	const { found, tried } = isTyped
		? await dataBelow(root, signal)
		: { found: [], tried: [] };
	if (found.length > 0) {
		return explained(error, {
			title: "Data sets in this folder",
			advice: ["The URL leads to a folder. Choose a data set in it:"],
			alternatives: found.map((key) => alternative(below(root, key))),
		});
	}
	const advice = [
		"The URL must end with the folder that contains .zgroup, usually *.zarr.",
		...(isTyped ? [`Also tried: ${tried.join(", ")}.`] : []),
		"If the server hides dotfiles, allow .zgroup, .zattrs and .zarray.",
	];
	if (isDiskPath(root.pathname)) advice.unshift(DISK_ADVICE);
	return explained(error, { title: "No data set at this URL", advice });
}

async function addressHelp(
	error: BevError,
	{ address, typed = false }: Extract<Place, { kind: "address" }>,
	signal?: AbortSignal,
): Promise<BevError> {
	const root = new URL(await withoutHost(address), document.baseURI);
	if (root.pathname.endsWith(".zip")) return error;
	const asked = error.url ? new URL(error.url, root) : below(root, ".zgroup");
	const found = await reach(asked, signal);
	if (found.kind === "not allowed") return explained(error, corsHelp(asked));
	if (found.kind === "silent") return explained(error, silentHelp(asked));
	if (found.kind === "forbidden by policy") return explained(error, POLICY_HELP);
	if (found.kind === "ok" && found.html) return explained(error, PAGE_HELP);
	const absent = error.code === "missing_key" || error.status === 404;
	return absent ? absentHelp(root, error, { isTyped: typed, signal }) : error;
}

function fileHelp(error: BevError, name: string): BevError {
	const advice =
		error.code === "missing_key" || error.code === "not_found"
			? ["Drop the whole *.zarr folder, including .zgroup and the arrays."]
			: ["Copy the files again from the original."];
	const codes = ["missing_key", "not_found", "invalid_metadata", "corrupt_chunk"];
	if (!codes.includes(error.code)) return error;
	return explained(error, { title: `Cannot open ${name}`, advice });
}

/** Error codes for which further requests give no information. */
const SETTLED = [
	"unsupported",
	"out_of_memory",
	"limit_exceeded",
	"invalid_argument",
	"internal",
];

function isSettled(error: BevError): boolean {
	return isExplained(error) || SETTLED.includes(error.code);
}

/** Attaches an explanation to `thrown`, found by further requests to `place`. */
export async function diagnosed(
	thrown: unknown,
	place: Place,
	signal?: AbortSignal,
): Promise<unknown> {
	if (!(thrown instanceof Error)) return thrown;
	const error = toBevError(thrown);
	if (isSettled(error)) return error;
	try {
		if (place.kind === "address") return await addressHelp(error, place, signal);
		if (place.kind === "files") return fileHelp(error, place.name);
	} catch (failure) {
		if (signal?.aborted) throw failure;
		const said = withoutSecrets(messageOf(failure));
		console.warn(`diagnosis of ${nameOf(error.url ?? "")}: ${said}`);
	}
	return error;
}
