// What a booking knows beyond its form: whose clocks, and in which words.
import { createContext } from "react";

export const BookingContext = createContext(null);
