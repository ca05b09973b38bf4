// Sliders of a page without a kernel: all frames lie in the page, a slider only chooses one.
// osfhelpers/teaching/static.py says how they are packed.

const unpack = async text => {
  const packed = Uint8Array.from(atob(text), character => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

// A byte holds two pixels; each half of it has a table of its own, as canvas pixels (ABGR).
const tablesOf = palette => {
  const pixels = palette.map(c => (0xff000000 | ((c & 0xff) << 16) | (c & 0xff00) | (c >> 16)) >>> 0);
  const table = half => Uint32Array.from({ length: 256 }, (_, byte) => pixels[half(byte)]);
  return [table(byte => byte >> 4), table(byte => byte & 15)];
};

// A table or formula wider than the page scrolls in its own box, by keyboard as well. Whether it is
// wider may change: the window is resized, or an answer unfolded.
const scrolling = ".osf-table, .table-wrapper, .osf-figure, .math-wrapper, .cell_output, pre";
const sizes = new ResizeObserver(changed => {
  for (const { target } of changed) {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = target;
    if (scrollWidth > clientWidth || scrollHeight > clientHeight) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
const reachByKeyboard = root => root.querySelectorAll(scrolling).forEach(wide => sizes.observe(wide));

// The longest sentence decides the height, so that nothing below it jumps when a slider moves.
const reserveHeight = (sentence, said) => {
  const shown = sentence.textContent;
  let tallest = 0;
  for (const [text] of said) {
    sentence.textContent = text;
    tallest = Math.max(tallest, sentence.offsetHeight);
  }
  sentence.style.minHeight = `${tallest}px`;
  sentence.textContent = shown;
};

const start = explorer => {
  const knobs = [...explorer.querySelectorAll(".osf-knob input, .osf-knob select")];
  const image = explorer.querySelector("img");
  const sentence = explorer.querySelector(".osf-say");
  const table = explorer.querySelector(".osf-words");
  let show;

  const load = () => show ??= (async () => {
    const stored = JSON.parse(explorer.querySelector('script[type="application/json"]').textContent);
    const { width, height } = stored;
    const [bytes, words] = await Promise.all([unpack(stored.frames), unpack(stored.words)]);
    const said = JSON.parse(new TextDecoder().decode(words));
    const [left, right] = tablesOf(stored.palette);
    reserveHeight(sentence, said);
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    canvas.setAttribute("role", "img");
    const context = canvas.getContext("2d");
    const shown = context.createImageData(width, height);
    const pixels = new Uint32Array(shown.data.buffer);
    explorer.dataset.ready = "";
    return index => {
      for (let row = 0, at = 0; row < height; row++) {
        const from = (row * said.length + index) * width / 2;
        for (let byte = from; byte < from + width / 2; byte++) {
          pixels[at++] = left[bytes[byte]];
          pixels[at++] = right[bytes[byte]];
        }
      }
      context.putImageData(shown, 0, 0);
      canvas.setAttribute("aria-label", said[index][0]);
      sentence.textContent = said[index][0];
      table.innerHTML = said[index][1];
      reachByKeyboard(table);
      if (image.isConnected) image.replaceWith(canvas);
    };
  })();

  const update = async () => {
    // The last slider moves fastest, as in Explorer.states().
    let index = 0;
    for (const knob of knobs) {
      index = index * Number(knob.dataset.count) + Number(knob.value);
      if (!knob.dataset.shown) continue; // a list of names shows its own choice
      const value = JSON.parse(knob.dataset.shown)[knob.value];
      knob.setAttribute("aria-valuetext", value);
      knob.parentElement.querySelector("output").textContent = value;
    }
    const ready = await load();
    ready(index);
    explorer.dataset.index = index;
  };

  for (const knob of knobs) knob.addEventListener("input", update);
  explorer.querySelector(".osf-back").addEventListener("click", () => {
    for (const knob of knobs) knob.value = knob.dataset.start;
    update();
  });
  explorer.querySelector(".osf-knobs").hidden = false;
  // Unpack when the explorer comes into view, so that the first move is as quick as the others.
  new IntersectionObserver((entries, observer) => {
    if (!entries.some(entry => entry.isIntersecting)) return;
    observer.disconnect();
    load();
  }).observe(explorer);
};

// A page opened from a file may not read other files, so the search lists titles without excerpts.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

document.querySelectorAll(".osf-explorer").forEach(start);
reachByKeyboard(document);
