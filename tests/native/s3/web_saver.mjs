// Saves rows to S3 by presigned URLs with bevscope/save, and prints the number of rows.
// Usage: node web_saver.mjs ENDPOINT BUCKET/PREFIX. The keys are in the environment.
import { createHash, createHmac } from "node:crypto";
import { DataSaver, toS3 } from "../../../web/dist/save.js";

const [endpoint, prefix] = process.argv.slice(2);
const {
	AWS_ACCESS_KEY_ID: id,
	AWS_SECRET_ACCESS_KEY: secret,
	AWS_REGION: region,
} = process.env;

const encode = (text) =>
	encodeURIComponent(text).replace(
		/[!'()*]/g,
		(c) => `%${c.charCodeAt(0).toString(16)}`,
	);

/** Returns a presigned URL: AWS Signature Version 4 in the query. */
function sign({ method, key, query }) {
	const { host } = new URL(endpoint);
	const date = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
	const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`;
	const path = `/${prefix}/${key}`.split("/").map(encode).join("/");
	const parameters = {
		...query,
		"X-Amz-Algorithm": "AWS4-HMAC-SHA256",
		"X-Amz-Credential": `${id}/${scope}`,
		"X-Amz-Date": date,
		"X-Amz-Expires": "300",
		"X-Amz-SignedHeaders": "host",
	};
	const search = Object.entries(parameters)
		.map(([name, value]) => `${encode(name)}=${encode(value)}`)
		.sort()
		.join("&");
	const request = [method, path, search, `host:${host}\n`, "host", "UNSIGNED-PAYLOAD"];
	const digest = createHash("sha256").update(request.join("\n")).digest("hex");
	const text = ["AWS4-HMAC-SHA256", date, scope, digest].join("\n");
	const hmac = (by, value) => createHmac("sha256", by).update(value).digest();
	const signature = [...scope.split("/"), text].reduce(hmac, `AWS4${secret}`);
	const signed = `${search}&X-Amz-Signature=${signature.toString("hex")}`;
	return { url: `${endpoint}${path}?${signed}` };
}

const config = {
	name: "numbers",
	attributes: { value: "<u4", label: { dtype: "|u1", shape: [2] } },
	maxObjectSize: 2 ** 24,
};
const rows = 5_000_000;
const value = new Uint32Array(rows).map((_, i) => Math.imul(i, 2654435761));
const label = new Uint8Array(2 * rows).map((_, i) => i % 251);
const saver = await DataSaver.open(
	config,
	toS3({ name: "made", sign, retryDelay: 20 }),
);
await saver.save({ value, label });
console.log(await saver.commit());
