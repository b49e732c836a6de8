import { StreamScanner, type ScanOptions, type ScanResult } from "../../src/core/claim/scanner.ts";

/** Scans the pieces as the process layer passes them: in one buffer that is overwritten each time. */
export function scanPieces(pieces: readonly Buffer[], options: Partial<ScanOptions> = {}): ScanResult {
  const scanner = new StreamScanner({ instructions: [], ...options });
  const reused = Buffer.alloc(Math.max(1, ...pieces.map((piece) => piece.length)));
  pieces.forEach((piece, index) => {
    piece.copy(reused);
    scanner.push(reused.subarray(0, piece.length), index);
    reused.fill("~~~\nGA_STATUS=BLOCKED\nGA_EVIDENCE=stale\n");
  });
  return scanner.end();
}

export function scan(output: string | Buffer, options: Partial<ScanOptions> = {}): ScanResult {
  return scanPieces([Buffer.from(output)], options);
}

export function statusOf(output: string | Buffer, options: Partial<ScanOptions> = {}): string | null {
  return scan(output, options).status?.value ?? null;
}

export function evidenceOf(output: string | Buffer, options: Partial<ScanOptions> = {}): string | null {
  return scan(output, options).evidence?.text ?? null;
}

/** The parts of a result that must not depend on how the stream was split. */
export function withoutArrival({ status, evidence }: ScanResult): unknown {
  return {
    status: status && { value: status.value, text: status.text, endsStream: status.endsStream },
    evidence: evidence && { text: evidence.text, endsStream: evidence.endsStream },
  };
}
