import "bevscope/define";
