import { useEffect, useState } from "react";
import "./styles.css";

const PEOPLE = ["Ada", "Grace", "Katherine", "Radia"];
const TURN_S = 120;

function clock(seconds: number): string {
  const sign = seconds < 0 ? "-" : "";
  const left = Math.abs(seconds);
  const rest = String(left % 60).padStart(2, "0");
  return `${sign}${Math.floor(left / 60)}:${rest}`;
}

// Everybody has one turn; the clock goes on below zero, for all to see.
export default function App() {
  const [turn, setTurn] = useState(0);
  const [left, setLeft] = useState(TURN_S);
  const [running, setRunning] = useState(false);

  useEffect(() => {
    if (!running) return;
    const tick = () => setLeft((seconds) => seconds - 1);
    const timer = window.setInterval(tick, 1000);
    return () => window.clearInterval(timer);
  }, [running]);

  function goTo(place: number) {
    setTurn(place % PEOPLE.length);
    setLeft(TURN_S);
    setRunning(place < PEOPLE.length);
  }

  const used = Math.min(1, 1 - left / TURN_S);
  const late = left < 0 ? "time late" : "time";

  return (
    <main className="timer">
      <h1>Stand-up</h1>
      <p className="who">{PEOPLE[turn]} has the floor</p>
      <p className="who">Next: {PEOPLE[(turn + 1) % PEOPLE.length]}</p>
      <p className={late} role="timer" aria-label="time left">
        {clock(left)}
      </p>
      <div className="bar">
        <div className="used" style={{ width: `${used * 100}%` }} />
      </div>
      <div className="buttons">
        <button onClick={() => setRunning(!running)}>
          {running ? "Pause" : "Start"}
        </button>
        <button onClick={() => goTo(turn + 1)}>Next</button>
        <button onClick={() => setLeft(TURN_S)}>Reset</button>
      </div>
      <ol>
        {PEOPLE.map((name, place) => (
          <li key={name} className={place === turn ? "now" : ""}>
            <button onClick={() => goTo(place)}>{name}</button>
          </li>
        ))}
      </ol>
    </main>
  );
}
