export { define } from "bevscope/define";
export * from "bevscope/element";
