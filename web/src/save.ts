/** Entry `bevscope/save`: saves arrays as a data set, and loads them. */

export { RaggedColumn, raggedOf } from "./arrays/ragged.js";
export { folderArrays } from "./saving/array-folder.js";
export { nodeArrays, type SoleWriter } from "./saving/array-node.js";
export { s3Arrays } from "./saving/array-s3.js";
export type { ArrayStore, ListedObject, StoredObject } from "./saving/array-store.js";
export type { ArrayValues, ElementSelection } from "./saving/array-values.js";
export { type CommitOptions, commitParts, discardParts } from "./saving/commit.js";
export type { AttributeType, BatchData, Codec, DataConfig } from "./saving/config.js";
export {
	type Attachment,
	DataLoader,
	type LoadedBatch,
	type LoadedRows,
	type LoaderOptions,
	type LoaderStats,
	type LoadFrom,
} from "./saving/data-loader.js";
export { DataSaver, type SaverOptions } from "./saving/data-saver.js";
export {
	type BeginOptions,
	type Destination,
	MemoryStore,
	type ObjectStore,
	toMap,
} from "./saving/destination.js";
export { folderStore, toFolder } from "./saving/folder.js";
export { nodeStore, toNodeFolder } from "./saving/node-folder.js";
export {
	type ArrayMode,
	type NewArray,
	type OpenArrayOptions,
	openArray,
} from "./saving/open-array.js";
export type { SaveMode } from "./saving/parts.js";
export {
	type S3Options,
	type SignedRequest,
	type SignRequest,
	toS3,
} from "./saving/s3.js";
export {
	type ArrayInfo,
	type AssignOptions,
	WritableArray,
} from "./saving/writable-array.js";
