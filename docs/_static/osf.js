// Sliders of a page without a kernel: every frame lies in the page, a slider only chooses one.
for (const explorer of document.querySelectorAll(".osf-explorer")) {
  const frames = JSON.parse(explorer.querySelector('script[type="application/json"]').textContent);
  const knobs = [...explorer.querySelectorAll(".osf-knob input, .osf-knob select")];
  const picture = explorer.querySelector("img");
  const words = explorer.querySelector(".osf-say strong");
  const table = explorer.querySelector(".osf-table");

  const show = () => {
    // The last slider moves fastest, as in Explorer.states().
    let index = 0;
    for (const knob of knobs) {
      index = index * Number(knob.dataset.count) + Number(knob.value);
      if (!knob.dataset.shown) continue; // a list of names shows its own choice
      const shown = JSON.parse(knob.dataset.shown)[knob.value];
      knob.setAttribute("aria-valuetext", shown);
      knob.parentElement.querySelector("output").textContent = shown;
    }
    const frame = frames[index];
    picture.src = frame.src;
    picture.alt = frame.say;
    words.textContent = frame.say;
    table.innerHTML = frame.table;
  };

  for (const knob of knobs) knob.addEventListener("input", show);
  explorer.querySelector(".osf-back").addEventListener("click", () => {
    for (const knob of knobs) knob.value = knob.dataset.start;
    show();
  });
  explorer.querySelector(".osf-knobs").hidden = false;
  show();
}
