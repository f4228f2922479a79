// Files to save: the result as CSV, the settings as a case file.

const offer = (name, kind, text) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: kind }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

// The columns of `wearfmu run --csv`: time and all outputs, with one row per sample of the record.
const csvOf = ({ times, outputs, stride, count }) => {
  const names = Object.keys(outputs);
  const rows = [["time", ...names].join(",")];
  for (let row = 0; row <= count; row += stride) {
    rows.push([times[row], ...names.map((name) => outputs[name][row])].join(","));
  }
  return rows.join("\n") + "\n";
};

// The provenance of a saved file. The case file repeats the result.
const provenanceOf = (name, { settings, record }, facts) => ({
  ...facts.provenance,
  result: name,
  fmus: [{ name: "FrictionalShock", form: "WebAssembly" }],
  inputs: record ? [facts.provenance.inputs.find((file) => file.name === record.name) ?? { name: record.name }] : [],
  parameters: { FrictionalShock: settings.parameters },
  arguments: null,
  end_time: new Date().toISOString().replace(/\.\d+/, ""),
  platform: { browser: navigator.userAgent },
});

// The metadata of result.csv by "CSV on the Web".
const metadataOf = (result, facts) => {
  const columns = ["time", ...Object.keys(result.outputs)].map((titles) => ({ titles }));
  const content = { "@context": "http://www.w3.org/ns/csvw", url: "result.csv", tableSchema: { columns } };
  return JSON.stringify({ ...content, "dc:provenance": provenanceOf("result.csv", result, facts) }, null, 1);
};

// A number in the notation of TOML for floats.
const real = (value) => {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
};

// A case for `wearfmu run`. It contains the record.
const caseOf = (result, facts) => {
  const { settings, record, startTime, stopTime, stepSize, stride, outputs, count } = result;
  const lines = [
    `# provenance: ${JSON.stringify(provenanceOf("case.toml", result, facts))}`,
    "[case]",
    `title = ${JSON.stringify(record ? `Base motion ${record.name}` : "Sinusoidal base motion")}`,
    `source = "settings of the page that computes, wearfmu ${facts.version}"`,
    'fmu = "FrictionalShock"',
    "",
    "[parameters]",
  ];
  for (const one of facts.parameters) {
    const value = settings.parameters[one.name];
    if (value === one.default && one.name !== "input_timing" && !settings.given.includes(one.name)) continue;
    const choice = one.kind === "choice" && one.choices.find(([number]) => number === value);
    let text = real(value);
    if (one.kind === "boolean") text = value ? "true" : "false";
    else if (choice && choice[2]) text = JSON.stringify(choice[1]);
    else if (choice) text = String(value);
    lines.push(`${one.name} = ${text}`);
  }
  for (const { name } of facts.inputs) {
    const recorded = record && { base_acceleration: record.acceleration, base_acceleration_normal: record.normal }[name];
    const { amplitude, frequency, phase, offset } = settings.inputs[name];
    if (recorded) {
      const list = (values) => `[${Array.from(values, real).join(", ")}]`;
      lines.push("", `[inputs.${name}]`, 'kind = "table"', `time = ${list(record.times)}`, `value = ${list(recorded)}`);
    } else if (amplitude) {
      lines.push("", `[inputs.${name}]`, 'kind = "sine"', `amplitude = ${real(amplitude)}`, `frequency = ${real(frequency)}`);
      if (phase) lines.push(`phase = ${real(phase)}`);
      if (offset) lines.push(`offset = ${real(offset)}`);
    } else if (offset) lines.push("", `[inputs.${name}]`, 'kind = "constant"', `value = ${real(offset)}`);
  }
  lines.push("", "[experiment]");
  if (startTime) lines.push(`start_time = ${real(startTime)}`);
  lines.push(`stop_time = ${real(stopTime)}`, `step_size = ${real(stepSize)}`);
  if (stride > 1) lines.push(`output_interval = ${real(stepSize * stride)}`);
  lines.push(
    "",
    "[[expect]]",
    'quantity = "value"',
    'variable = "wear_work"',
    `time = ${real(stopTime)}`,
    `value = ${real(outputs.wear_work[count])}`,
    "rtol = 1e-9",
    "atol = 1e-12",
    'source = "computed by the page"',
    'reason = "the same kernel, but the sines of both differ by rounding"',
  );
  return lines.join("\n") + "\n";
};
