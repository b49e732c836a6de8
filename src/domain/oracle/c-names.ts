/** Headers that compilers, C libraries and the usual libraries of assertions have. */
const HEADERS = new Set(
  `
  assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbit stdbool
  stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype
  aio alloca argz byteswap dirent dlfcn elf endian envz err execinfo fcntl features fnmatch ftw getopt glob grp iconv ifaddrs
  langinfo libgen libintl link malloc memory mntent monetary mqueue netdb nl_types poll printf pthread pty pwd regex resolv sched
  search semaphore shadow spawn stdc-predef strings sysexits syslog termios ucontext ulimit unistd utime utmp values wait wordexp
  unity unity_internals cmocka check criterion greatest munit minunit tap catch doctest gtest gmock
  `
    .split(/\s+/)
    .filter((name) => name !== ""),
);
/** What C++ has without an ending. */
const PLAIN = new Set(
  `
  algorithm any array atomic bitset cassert cctype cerrno charconv chrono climits cmath compare complex concepts
  condition_variable csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime deque exception expected filesystem
  format forward_list fstream functional future initializer_list iomanip ios iosfwd iostream istream iterator limits list locale
  map memory mutex new numeric optional ostream queue random ranges ratio regex set shared_mutex source_location span sstream
  stack stdexcept streambuf string string_view system_error thread tuple type_traits typeinfo unordered_map unordered_set utility
  valarray variant vector version
  `
    .split(/\s+/)
    .filter((name) => name !== ""),
);
const FOLDERS =
  /^(?:sys|bits|gnu|asm|asm-generic|linux|net|netinet|arpa|rpc|gtest|gmock|catch2|criterion|boost\/test)\//;

/** Whether a header by that name is found without the project. */
export function isKnownHeader(name: string): boolean {
  if (FOLDERS.test(name)) return true;
  const plain = /^([\w-]+)\.(?:h|hpp|hh|hxx)$/.exec(name)?.[1];
  return plain === undefined ? PLAIN.has(name) : HEADERS.has(plain);
}

/** What those headers include in their turn. */
export const CORE_HEADERS: readonly string[] =
  "features.h stdc-predef.h stddef.h stdarg.h stdint.h stdio.h stdlib.h string.h assert.h sys/cdefs.h sys/types.h".split(
    " ",
  );

export function includedIn(text: string): string[] {
  return [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]/gm)].map(([, name = ""]) => name);
}
