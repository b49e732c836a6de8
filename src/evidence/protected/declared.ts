import { globMatcher } from "../../text/globs.ts";
import type { ProtectedKind } from "../../core/evidence/change.ts";
import { isForemanConfig, isTestPath } from "./test-paths.ts";

/** Patterns of files that a person declared in the configuration. */
export interface Declared {
  readonly protect: readonly string[];
  readonly product: readonly string[];
}

export const NOT_DECLARED: Declared = { protect: [], product: [] };

export interface Declarations {
  /** Whether the person declared the file as part of the product. A file that is declared twice is protected. */
  readonly isProduct: (path: string) => boolean;
  /** A file's kind, given the kind found without the declaration. */
  readonly kindOf: (path: string, found: ProtectedKind | null) => ProtectedKind | null;
  readonly kindOfNew: (path: string, found: ProtectedKind | null) => ProtectedKind | null;
}

/** The foreman's own configuration holds the declaration, so no declaration applies to it. */
export function declarations({ protect, product }: Declared): Declarations {
  const isProtected = globMatcher(protect);
  const isNamed = globMatcher(product);
  const isProduct = (path: string): boolean => isNamed(path) && !isProtected(path) && !isForemanConfig(path);
  const kindOf = (path: string, found: ProtectedKind | null): ProtectedKind | null => {
    if (isProduct(path)) return null;
    // A declared file counts as a whole. Tests already do.
    return isProtected(path) && !isForemanConfig(path) && found !== "test" ? "declared" : found;
  };
  return {
    isProduct,
    kindOf,
    // New tests are welcome anywhere.
    kindOfNew: (path, found) => (isTestPath(path) && !isProduct(path) ? found : kindOf(path, found)),
  };
}
