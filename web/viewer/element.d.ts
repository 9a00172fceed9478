export * from "bevscope/element";
