// The page: each change of the form runs the model again and shows the results.

const main = async () => {
  const facts = JSON.parse(element("data").textContent);
  const form = element("settings");
  const controls = new Controls(form, facts);
  const contents = new Map(); // of records, by name
  const own = new Set(); // names of the records chosen by the user
  const isInside = window !== window.top; // whether the page is part of another page
  const start = element("start"); // choice of a start, if there are several
  let kernel;
  let record = null; // the record that was read last
  let result = null;
  let version = 0;

  const pictures = new Pictures(element("pictures"), facts);
  const scene = new Scene(element("scene"), {
    play: element("play"),
    instant: element("instant"),
    moment: element("moment"),
    pace: element("pace"),
    help: element("scene-help"),
  });

  const say = (problem) => {
    const place = element("problem");
    place.textContent = problem;
    place.hidden = problem === "";
    controls.mark(problem);
    for (const shown of ["results", "state", "glance"])
      element(shown).classList.toggle("outdated", problem !== "");
  };

  const list = (place, lines) => {
    place.replaceChildren(...lines.map((line) => newElement("li", line)));
    place.hidden = lines.length === 0;
  };

  // -- records --

  const contentOf = async (name) => {
    if (!contents.has(name) && name in facts.records) contents.set(name, await unpacked(facts.records[name]));
    return contents.get(name);
  };

  // Show the questions about columns and units of the file.
  const ask = (asks) => {
    for (const part of ["time_unit", "unit"]) element(`ask-${part}`).hidden = !asks.includes(part);
  };

  // The record of the settings, or null if it cannot be read. The form then shows the reason.
  const recordOf = async (settings) => {
    const key = JSON.stringify([settings.record, { ...settings.reading, substeps: 0 }]);
    if (record?.key === key && !record.problem) return record;
    const content = await contentOf(settings.record);
    if (!content) {
      list(element("understood"), []);
      ask([]);
      const missing = settings.record ? `this page does not contain the record ${settings.record}: ` : "";
      return { problem: `${missing}choose a file, or drop it on the page` };
    }
    record = { ...readRecord(settings.record, content, settings.reading, facts.record_rules), key };
    list(element("understood"), record.understood ?? []);
    ask(record.asks);
    if (record.problem) element("reading").open = true;
    if (record.names.length) controls.nameColumns(record.names);
    return record;
  };

  // A record is linearly interpolated and followed exactly. Its default of gravity is standard
  // gravity.
  const usual = Object.fromEntries(facts.parameters.map((one) => [one.name, one.default]));
  const parametersFor = (isRecorded, { gravity }) => {
    const [before, after] = isRecorded ? [usual, facts.record_parameters] : [facts.record_parameters, usual];
    return { input_timing: isRecorded ? 1 : 0, gravity: gravity === before.gravity ? after.gravity : gravity };
  };

  const takeFile = async (file) => {
    let name = file.name;
    while (name in facts.records) name = `own ${name}`;
    contents.set(name, new Uint8Array(await file.arrayBuffer()));
    own.add(name);
    record = null;
    if (start) start.value = "";
    controls.addRecord(name);
    const { parameters, given, inputs, slope, stop_time, step_size } = controls.settings();
    Object.assign(parameters, parametersFor(true, parameters));
    controls.show({ parameters, given, inputs, slope, stop_time, step_size, record: name });
    pictures.window = null;
    await compute();
  };

  // -- results --

  // Numbers that a narrow screen shows above the controls while they move.
  const atAGlance = ["wear work", "peak displacement", "residual displacement"];
  const showGlance = (numbers) => {
    const chosen = numbers.filter(([label]) => atAGlance.includes(label));
    element("glance-numbers").replaceChildren(
      ...chosen.map(([label, value, unit]) =>
        newElement("span", `${label.replace(" displacement", "")} ${withUnit(value, unit, 3)}`),
      ),
    );
    const { outputs, count } = result;
    const [width, height] = [300, 48];
    const line = (values) => {
      const [low, high] = rangeOf(values);
      const stride = Math.max(1, Math.floor(count / 600));
      const points = [];
      for (let row = 0; row <= count; row += stride) {
        const share = high > low ? (values[row] - low) / (high - low) : 0.5;
        points.push(`${((width * row) / count).toFixed(1)},${(height - 2 - (height - 4) * share).toFixed(1)}`);
      }
      return points.join(" ");
    };
    element("glance-displacement").setAttribute("points", line(outputs.relative_displacement));
    element("glance-wear").setAttribute("points", line(outputs.wear_work));
  };

  const showNumbers = () => {
    const numbers = keyNumbersOf(result);
    showGlance(numbers);
    element("numbers").replaceChildren(
      ...numbers.map(([label, value, unit]) =>
        newElement("div", newElement("dt", label), newElement("dd", withUnit(value, unit))),
      ),
    );
    clearTimeout(showNumbers.timer);
    // Delayed, so that screen readers do not read each position of a slider.
    showNumbers.timer = setTimeout(() => {
      element("spoken").textContent = summary;
    }, 800);
    const end = (name) => withUnit(result.outputs[name][result.count], name === "wear_work" ? "J" : "m");
    const summary = `Wear work ${end("wear_work")}, sliding distance ${end("sliding_distance")}`;
    const steps = `${result.count} steps in ${written(1000 * result.seconds, 2)} ms`;
    element("state").textContent = `${summary} (${steps})`;
  };

  const showWindow = (from, to) => {
    element("from-time").value = String(Number(from.toPrecision(6)));
    element("to-time").value = String(Number(to.toPrecision(6)));
  };
  pictures.onWindow = showWindow;

  // After a trap in the module, its memory is incomplete.
  const compute = () =>
    computeOnce().catch((problem) => say(`unexpected error in the model (${problem.message}): reload the page`));

  const computeOnce = async () => {
    const mine = ++version;
    const isOutdated = () => mine !== version;
    controls.arrange();
    const settings = controls.settings();
    const missing = controls.missing();
    if (missing) {
      say(missing);
      controls.missing(); // marks its control, which `say` has cleared
      return;
    }
    if (!isInside) history.replaceState(null, "", `#${controls.link(settings)}`);
    const read = settings.record || element("motion-record").checked ? await recordOf(settings) : null;
    if (isOutdated()) return;
    if (read?.problem) {
      say(read.problem);
      return;
    }
    const tell = (share) => {
      element("state").textContent = `Computing … ${Math.round(100 * share)} %`;
    };
    const made = await runModel(kernel, onTheSlope(settings), read, isOutdated, tell);
    if (made === null || isOutdated()) return;
    say(made.problem);
    if (made.problem) return;
    const span = result && [result.startTime, result.stopTime];
    result = made;
    if (!span || span[0] !== made.startTime || span[1] !== made.stopTime) pictures.window = null;
    showNumbers();
    list(element("notes"), notesOn(result, facts));
    pictures.show(result);
    if (!pictures.window) showWindow(result.startTime, result.stopTime);
    scene.take(result);
    page.result = result;
    document.documentElement.dataset.drawn = "all";
  };

  // In another page, the frame gets the height of its content if that page allows it.
  if (isInside && window.frameElement) {
    const frameMargin = 20; // px
    new ResizeObserver(() => {
      const height = Math.ceil(document.body.getBoundingClientRect().height);
      window.frameElement.style.height = `${height + frameMargin}px`;
    }).observe(document.body);
  }

  // -- actions of the user --

  let isWaiting = false;
  const computeSoon = () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      compute();
    });
  };
  form.addEventListener("input", (event) => {
    if (event.target.id === "file" || event.target === start) return;
    if (start) start.value = "";
    if (event.target.name === "motion" || event.target.id === "record-name") {
      const values = parametersFor(element("motion-record").checked, controls.settings().parameters);
      for (const [name, value] of Object.entries(values)) element(`p-${name}`).value = String(value);
      pictures.window = null;
      if (event.target.id === "record-name") for (const part of numbersOfReading) controls.offerColumn(part, 0);
    }
    computeSoon();
  });
  for (const part of ["time_unit", "unit"]) {
    for (const button of element(`ask-${part}`).querySelectorAll("button")) {
      button.addEventListener("click", () => {
        element(`read-${part}`).value = button.value;
        compute();
      });
    }
  }
  const showStart = (number) => {
    controls.show(facts.starts[number]);
    if (start) start.value = String(number);
    pictures.window = null;
  };
  start?.addEventListener("change", () => {
    if (start.value !== "") showStart(Number(start.value));
    compute();
  });
  element("file").addEventListener("change", (event) => {
    const [file] = event.target.files;
    event.target.value = "";
    if (file) takeFile(file);
  });
  for (const name of ["dragover", "dragenter"]) {
    addEventListener(name, (event) => {
      event.preventDefault();
      document.body.classList.add("dropping");
    });
  }
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const [file] = event.dataTransfer.files;
    if (file) takeFile(file);
  });
  const chooseWindow = () => {
    const ends = [Number(element("from-time").value), Number(element("to-time").value)];
    if (result && ends[1] > ends[0]) pictures.setWindow(ends);
  };
  element("from-time").addEventListener("change", chooseWindow);
  element("to-time").addEventListener("change", chooseWindow);
  element("whole-time").addEventListener("click", () => result && pictures.setWindow(null));
  element("save-csv").addEventListener("click", () => {
    if (!result) return;
    offer("result.csv", "text/csv", csvOf(result));
    offer("result.csv-metadata.json", "application/csvm+json", metadataOf(result, facts));
  });
  element("save-case").addEventListener("click", () => result && offer("case.toml", "text/plain", caseOf(result, facts)));
  const copy = element("copy-link");
  copy.hidden = isInside;
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
    } catch {
      element("saved").textContent = `Copy this link: ${location.href}`;
      return;
    }
    element("saved").textContent = own.has(result?.record?.name)
      ? "Copied. The link contains the settings, but not your record: open the link and drop the record again."
      : "Copied.";
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => pictures.redraw());

  // -- start --

  // For the console of the browser, and for tests.
  const page = {
    facts,
    controls,
    pictures,
    scene,
    compute,
    readRecord: (name, bytes, reading) => readRecord(name, bytes, reading, facts.record_rules),
    csv: () => csvOf(result),
    csvMetadata: () => metadataOf(result, facts),
    caseFile: () => caseOf(result, facts),
    notes: () => notesOn(result, facts),
    general,
  };
  window.wearfmu = page;
  kernel = await Kernel.load(element("module").textContent, element("instance").textContent, facts);
  page.kernel = kernel;
  const link = isInside ? "" : location.hash.slice(1);
  if (link) {
    const { settings, unknown } = controls.settingsOfLink(link);
    controls.show(settings);
    if (unknown.length) element("saved").textContent = `The link contains unknown settings, which are ignored: ${unknown.join(", ")}.`;
  } else if (facts.starts.length) showStart(0);
  else controls.show({ inputs: plainInputs });
  await compute();
};

main().catch((problem) => {
  element("state").textContent = `This browser cannot run the model: ${problem.message}`;
});
