// From settings to a run: communication points, their inputs, steps and outputs.

const longestStep = 1e-3; // s, for a record
const mostSteps = 1_000_000;
const wholeSteps = 1e-9; // tolerance, in steps, of a duration that must be a whole number of steps

// The settings for the model: on a slope, gravity is its normal part, and its downslope part is a
// load towards positive displacement.
const onTheSlope = (settings) => {
  if (!settings.slope) return settings;
  const angle = (settings.slope * Math.PI) / 180;
  const { mass, gravity } = settings.parameters;
  const load = settings.inputs.tangential_load;
  return {
    ...settings,
    parameters: { ...settings.parameters, gravity: gravity * Math.cos(angle) },
    given: [...new Set([...settings.given, "gravity"])],
    inputs: { ...settings.inputs, tangential_load: { ...load, offset: load.offset + mass * gravity * Math.sin(angle) } },
  };
};

// The plan of a run, or the reason why it cannot be computed.
const experimentOf = (settings, record) => {
  if (record) {
    const steps = record.times.slice(1).map((time, i) => time - record.times[i]).sort();
    const middle = steps.length >> 1;
    const interval = steps.length % 2 ? steps[middle] : 0.5 * (steps[middle - 1] + steps[middle]);
    const substeps = settings.reading.substeps || Math.max(1, Math.ceil(interval / longestStep - 1e-9));
    const startTime = record.times[0];
    const stopTime = record.times.at(-1);
    const intervals = Math.max(1, Math.round((stopTime - startTime) / interval));
    const count = intervals * substeps;
    return checked({ startTime, stopTime, count, stepSize: (stopTime - startTime) / count, stride: substeps });
  }
  const { stop_time: stopTime, step_size: stepSize } = settings;
  if (!(stopTime > 0)) return { problem: `duration=${stopTime} s must be > 0` };
  if (!(stepSize > 0)) return { problem: `step=${stepSize} s must be > 0` };
  const count = Math.round(stopTime / stepSize);
  const missed = Math.abs(count * stepSize - stopTime);
  if (count < 1 || missed > wholeSteps * stepSize + 4 * Number.EPSILON * stopTime) {
    return { problem: `the step of ${stepSize} s must divide the duration of ${stopTime} s` };
  }
  return checked({ startTime: 0, stopTime, count, stepSize, stride: 1 });
};

const checked = (experiment) =>
  experiment.count > mostSteps
    ? { problem: `the run has ${experiment.count} steps, but at most ${mostSteps} are possible: choose longer steps` }
    : experiment;

// The value of an input at any time, as a function.
const signalOf = (settings, record, name) => {
  const recorded = { base_acceleration: record?.acceleration, base_acceleration_normal: record?.normal };
  if (recorded[name]) return lineThrough(record.times, recorded[name]);
  const { amplitude = 0, frequency = 1, phase = 0, offset = 0 } = settings.inputs[name] ?? {};
  const omega = 2 * Math.PI * frequency;
  return (time) => offset + amplitude * Math.sin(omega * time + phase);
};

// Linear interpolation for increasing times, like numpy.interp.
const lineThrough = (times, values) => {
  let at = 0;
  const last = times.length - 1;
  return (time) => {
    if (time <= times[0]) return values[0];
    if (time >= times[last]) return values[last];
    if (times[at] > time) at = 0;
    while (times[at + 1] <= time) ++at;
    if (times[at] === time) return values[at];
    const slope = (values[at + 1] - values[at]) / (times[at + 1] - times[at]);
    return slope * (time - times[at]) + values[at];
  };
};

// Run the model. Returns null if `isOutdated` becomes true. A long run reports its progress.
const stepsAtOnce = 25_000; // take some tenths of a second
const runModel = async (kernel, settings, record, isOutdated, tell) => {
  const began = performance.now();
  const experiment = experimentOf(settings, record);
  if (experiment.problem) return experiment;
  const { startTime, count, stepSize } = experiment;
  const coarse = stepFindings(settings, record, stepSize, kernel.facts).problem;
  if (coarse) return { problem: coarse };
  const times = Float64Array.from({ length: count + 1 }, (_, i) => startTime + i * stepSize);
  const inputs = kernel.facts.inputs.map(({ name }) => {
    const signal = signalOf(settings, record, name);
    return times.map((time) => signal(time));
  });
  const parameters = kernel.facts.parameters.map(({ name }) => settings.parameters[name]);
  const lead = settings.parameters.input_timing; // 1 is end
  let problem = kernel.start({ startTime, count, parameters, inputs });
  for (let first = 0; first < count && !problem; first += stepsAtOnce) {
    if (first) {
      tell(first / count);
      await new Promise((resolve) => setTimeout(resolve));
      if (isOutdated()) return null;
    }
    problem = kernel.step(first, Math.min(first + stepsAtOnce, count), stepSize, lead);
  }
  if (problem) return { problem };
  const outputs = kernel.outputs();
  const fastest = largestOf(outputs.relative_velocity);
  const speeds = Float64Array.from({ length: 401 }, (_, i) => (i / 400) * fastest);
  const byName = Object.fromEntries(kernel.facts.inputs.map(({ name }, i) => [name, inputs[i]]));
  return {
    ...experiment,
    problem: "",
    settings,
    record,
    times,
    inputs: byName,
    outputs,
    // The friction law up to the largest speed of the run.
    law: { law_speed: speeds, law_coefficient: speeds.map(kernel.frictionOf(parameters)) },
    seconds: (performance.now() - began) / 1000,
  };
};

// Intervals of one contact mode: [mode, first row, last row].
const stretchesOf = (modes) => {
  const stretches = [];
  for (let row = 1; row < modes.length; ++row) {
    const last = stretches.at(-1);
    if (last && last[0] === modes[row]) last[2] = row;
    else stretches.push([modes[row], row - 1, row]);
  }
  return stretches;
};

const slipMode = 2;
const keyNumbersOf = (result) => {
  const { outputs, count, stopTime, startTime } = result;
  const end = (name) => outputs[name][count];
  const slips = outputs.contact_mode.filter((mode, row) => row > 0 && mode === slipMode).length;
  return [
    ["wear work", end("wear_work"), "J"],
    ["mean wear power", end("wear_work") / (stopTime - startTime), "W"],
    ["worn volume", end("worn_volume"), "m³"],
    ["wear depth", end("wear_depth"), "m"],
    ["sliding distance", end("sliding_distance"), "m"],
    ["peak displacement", largestOf(outputs.relative_displacement), "m"],
    ["residual displacement", end("relative_displacement"), "m"],
    ["time in slip", (100 * slips) / count, "%"],
    ["slips", end("slip_count"), ""],
    ["shocks", end("shock_count"), ""],
    ["peak normal force", end("peak_normal_force"), "N"],
    ["peak base acceleration", largestOf(result.inputs.base_acceleration), "m/s²"],
  ];
};
