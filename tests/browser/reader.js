// What the tests ask of an open page of the site; tests/browser/faults.py says what must hold.
window.reader = (() => {
  const knobsOf = explorer => [...explorer.querySelectorAll(".osf-knob input, .osf-knob select")];
  const look = element => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow, backgroundColor } = getComputedStyle(element);
    return `${outlineStyle === "none" ? "" : outlineStyle + outlineWidth + outlineColor} ${boxShadow} ${backgroundColor}`;
  };
  const before = new Map(), focused = new Map();
  // Furo's link back to the top is there only while the reader scrolls upwards.
  const reachable = ":is(a[href], button, input, select, textarea, summary, [tabindex='0']):not(.back-to-top)";

  const atRest = () => ({
    width: document.documentElement.scrollWidth,
    pictures: [...document.querySelectorAll("article img")].map(image =>
      [image.alt, image.complete && image.naturalWidth > 0 && image.checkVisibility()]),
    cut: [...document.querySelectorAll("article :is(.osf-table, .table-wrapper, .osf-figure)")]
      .filter(box => box.scrollWidth > box.clientWidth + 1)
      .map(box => `${box.scrollWidth - box.clientWidth} px of ${box.textContent.trim().slice(0, 40)}`),
    links: [...new Set([...document.links].map(link => link.href))],
  });

  const pixelsOf = canvas =>
    new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  // A picture as one number; the same picture always has the same.
  const numberOf = canvas => pixelsOf(canvas).reduce((sum, pixel) => (Math.imul(sum, 31) + pixel) | 0, 0);

  // Which state an explorer is in, and its picture, alternative text, sentence and table.
  const shown = explorer => {
    const canvas = explorer.querySelector("canvas");
    return [explorer.dataset.index ?? null, canvas && numberOf(canvas), canvas?.ariaLabel ?? null,
      explorer.querySelector(".osf-say").textContent, explorer.querySelector(".osf-words").textContent];
  };

  // Wait until something holds, and return whether it does. On a busy machine that may take a while;
  // where a fault is planted it never does, so that page says how long to wait.
  const comesTrue = async holds => {
    for (const start = performance.now(); !holds();) {
      if (performance.now() - start > (window.patience_ms ?? 20_000)) return false;
      await new Promise(done => setTimeout(done));
    }
    return true;
  };

  // What an explorer shows once it has left the state that it was in.
  const shownAfter = async (explorer, before) => {
    await comesTrue(() => (explorer.dataset.index ?? null) !== before);
    return shown(explorer);
  };

  const faultsOfState = explorer => {
    const faults = [], canvas = explorer.querySelector("canvas");
    const pixels = pixelsOf(canvas);
    if (pixels.every(pixel => pixel === pixels[0])) faults.push("has an empty picture");
    const sentence = explorer.querySelector(".osf-say").textContent;
    if (!sentence.trim()) faults.push("has no sentence");
    if (sentence !== canvas.ariaLabel) faults.push("says another thing than its alternative text");
    return faults;
  };

  // Go through every state, the last knob moving fastest.
  const faultsOfStates = async explorer => {
    const knobs = knobsOf(explorer), counts = knobs.map(knob => Number(knob.dataset.count));
    const faults = [];
    for (let index = 0; index < counts.reduce((a, b) => a * b, 1); index++) {
      knobs.reduceRight((rest, knob, k) => {
        knob.value = rest % counts[k];
        return Math.floor(rest / counts[k]);
      }, index);
      knobs[0].dispatchEvent(new Event("input", { bubbles: true }));
      if (!await comesTrue(() => explorer.dataset.index == index)) return [...faults, `state ${index} is never drawn`];
      faults.push(...faultsOfState(explorer).map(fault => `state ${index} ${fault}`));
    }
    return faults;
  };

  // Note the look of everything that a keyboard should reach, and return how many there are.
  const watchFocus = () => {
    document.activeElement?.blur();
    before.clear();
    focused.clear();
    for (const element of document.querySelectorAll(reachable)) {
      if (element.checkVisibility({ visibilityProperty: true }) && !element.disabled) before.set(element, look(element));
    }
    document.addEventListener("focusin", ({ target }) => focused.set(target, look(target)), true);
    return before.size;
  };

  // What a reader without scripts would not see, though it is part of the text.
  const unseen = () => [...document.querySelectorAll("article :is(h1, h2, h3, p, li, table, pre, figure)")]
    .filter(element => !element.closest("details") && !element.checkVisibility({ visibilityProperty: true }))
    .map(element => element.textContent.trim());

  const faultsOfFocus = () => [...before].flatMap(([element, unfocused]) => {
    const words = (element.ariaLabel || element.textContent || element.id).trim().slice(0, 40);
    const name = `${element.localName} ${element.className} “${words}”`;
    if (!focused.has(element)) return [`Tab does not reach ${name}`];
    return focused.get(element) === unfocused ? [`no focus is seen on ${name}`] : [];
  });

  return { atRest, shownAfter, unseen, faultsOfStates, watchFocus, faultsOfFocus };
})();
