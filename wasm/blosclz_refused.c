// In the place of BloscLZ, which c-blosc has no switch to leave out.
// formats_refused.cpp keeps such chunks from coming here; to c-blosc 0 is a damaged
// block.
int blosclz_refused(const void* input, int length, void* output, int maxout);

int blosclz_refused(const void* input, int length, void* output, int maxout) {
  (void)input;
  (void)length;
  (void)output;
  (void)maxout;
  return 0;
}
