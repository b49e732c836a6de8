const SEMICOLON = 0x3b;
const COLON = 0x3a;

const FOREGROUND = 1 << 10;
const BACKGROUND = 1 << 11;
const UNDERLINE_COLOUR = 1 << 12;

/**
 * Character attributes (SGR) after a control sequence `CSI … m`, as bits. Programs reset each by its own number as often as all at
 * once. Works byte by byte, because agents write mostly coloured lines.
 */
export function attributesAfter(before: number, bytes: Buffer, from: number, to: number): number {
  let on = before;
  let number = 0;
  /** Parameters that belong to a colour: 2;r;g;b or 5;n. */
  let colour = 0;
  let inSub = false;
  for (let at = from; at <= to; at++) {
    const byte = bytes[at] ?? 0;
    if (at < to && byte !== SEMICOLON && byte !== COLON) {
      if (!inSub) number = number * 10 + (byte - 0x30);
      continue;
    }
    if (!inSub) {
      if (colour === -1) colour = number === 5 ? 1 : number === 2 ? 3 : 0;
      else if (colour > 0) colour--;
      else {
        on = switched(on, number);
        // After a colon, the colour's description is in the same parameter.
        if ((number === 38 || number === 48 || number === 58) && byte === SEMICOLON) colour = -1;
      }
    }
    inSub = byte === COLON;
    number = 0;
  }
  return on;
}

function switched(on: number, number: number): number {
  if (number === 0) return 0;
  if (number === 1 || number === 2) return on | (1 << 2);
  if (number <= 9) return on | (1 << number);
  if (number === 21) return on | (1 << 4);
  if (number >= 22 && number <= 29) return on & ~(number === 25 ? (1 << 5) | (1 << 6) : 1 << (number - 20));
  if ((number >= 30 && number <= 38) || (number >= 90 && number <= 97)) return on | FOREGROUND;
  if ((number >= 40 && number <= 48) || (number >= 100 && number <= 107)) return on | BACKGROUND;
  if (number === 39) return on & ~FOREGROUND;
  if (number === 49) return on & ~BACKGROUND;
  if (number === 53) return on | (1 << 13);
  if (number === 55) return on & ~(1 << 13);
  if (number === 58) return on | UNDERLINE_COLOUR;
  return number === 59 ? on & ~UNDERLINE_COLOUR : on;
}
