// palette - colours of packets and loads. All are told apart by all kinds of colour vision: the scale goes, like cividis, from
// dark blue to yellow, in each theme away from its background, and the few colours for kinds are those of Okabe and Ito.

const KINDS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#8c8c8c"];

// The scale of the page's theme: its ends and bends, and 256 colours along it.
class ColourScale {
  constructor() {
    this.follow();
  }
  // Takes the colours of the present theme.
  follow() {
    const bends = themeColour("--scale").split(" ");
    if (this.bends?.join() === bends.join()) return;
    this.bends = bends;
    const parts = bends.map((hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));
    this.colours = Array.from({ length: 256 }, (_, i) => {
      const place = (i / 255) * (parts.length - 1);
      const low = Math.min(parts.length - 2, Math.floor(place));
      const mixed = parts[low].map((c, k) => Math.round(c + (parts[low + 1][k] - c) * (place - low)));
      return `rgb(${mixed.join(",")})`;
    });
  }
  // The colour of a value of 0 to `most`; the end of the scale if there is but one value.
  of(value, most) {
    return this.colours[most <= 0 ? 255 : Math.min(255, Math.round((255 * value) / most))];
  }
}
const SCALE = new ColourScale();

const WHOLE = new Intl.NumberFormat("en");
const inWords = (number) => WHOLE.format(number);

// Ways to colour a send of a recording: what a colour means, and the colour of send i.
function colourings(recording) {
  let longestWait = 0;
  let mostHops = 0;
  for (let i = 0; i < recording.sends; ++i) {
    longestWait = Math.max(longestWait, recording.start[i] - recording.available[i]);
    mostHops = Math.max(mostHops, recording.hopsLeft[i]);
  }
  let largestTag = 0;
  for (let p = 0; p < recording.packets; ++p) largestTag = Math.max(largestTag, recording.tag[p]);
  const few = (most) => most < KINDS.length;
  const named = (most, name) => [0, most].map((value) => name(value));
  return {
    hops: {
      words: "sends still to come",
      colour: (i) => SCALE.of(mostHops - recording.hopsLeft[i], mostHops),
      ends: mostHops === 0 ? ["", "none: each is its packet's last"] : [`${mostHops}`, "last"],
    },
    source: {
      words: "source",
      colour: (i) =>
        few(recording.nodes - 1)
          ? KINDS[recording.origin[recording.packet[i]]]
          : SCALE.of(recording.origin[recording.packet[i]], recording.nodes - 1),
      ends: named(recording.nodes - 1, (v) => recording.nodeName(v)),
      kinds: few(recording.nodes - 1) ? recording.nodes : 0,
    },
    wait: {
      words: "cycles that it waited",
      colour: (i) => SCALE.of(recording.start[i] - recording.available[i], longestWait),
      ends: ["0", inWords(longestWait)],
    },
    message: {
      words: "number of the packet at its source",
      colour: (i) =>
        few(largestTag) ? KINDS[recording.tag[recording.packet[i]]] : SCALE.of(recording.tag[recording.packet[i]], largestTag),
      ends: named(largestTag, (tag) => `#${tag}`),
      kinds: few(largestTag) ? largestTag + 1 : 0,
    },
  };
}
